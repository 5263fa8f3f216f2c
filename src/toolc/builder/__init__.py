"""Document -> ToolMetadata -> Tool: what an author wrote, checked key by key, then in MCP's shape."""
