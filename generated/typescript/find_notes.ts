// Written by toolc. Edit the definition of `find_notes`, not this file.

export const name = "find_notes";

export type Arguments = { "words": Array<string>; "notebook"?: string; "limit"?: number; "from"?: string; "to"?: string; };

export type Result = { "notes": Array<{ "id": string; "preview"?: string; "fields"?: Record<string, unknown>; }>; };
