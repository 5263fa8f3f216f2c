raise RuntimeError("hunter2 at import")
