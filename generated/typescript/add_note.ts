// Written by toolc. Edit the definition of `add_note`, not this file.

export const name = "add_note";

export type Arguments = { "title": string; "text"?: string; "notebook"?: string; "tags"?: Array<string>; "priority"?: "low" | "normal" | "high"; "due"?: string; "remindBefore"?: number; "source"?: { "kind": "web"; "url": string; } | { "kind": "book"; "title": string; "page"?: number; }; "fields"?: Record<string, unknown>; };

export type Result = { "id": string; "created": string; };
