// Written by toolc. Edit the definition of `export_notes`, not this file.

export const name = "export_notes";

export type Arguments = { "path": string; "notebook"?: string; "from"?: string; "to"?: string; "format"?: "markdown" | "json"; "limit"?: number | null; "overwrite"?: boolean; "pretty"?: boolean; };

export type Result = { "notes": number; "bytes": number; };
