// Written by toolc. Edit the definition of `write_file`, not this file.

export const name = "write_file";

export type Arguments = { "path": string; "content": string | Array<Array<string | number | boolean | null>>; "frontMatter"?: Record<string, unknown>; "overwrite"?: boolean; };

export type Result = { "bytes": number; };
