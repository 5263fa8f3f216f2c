// Written by toolc. Edit the definition of `read_file`, not this file.

export const name = "read_file";

export type Arguments = { "path": string; "lines"?: { "first"?: number; "last"?: number; }; };

export type Result = unknown;
