// Written by toolc. Edit the definition of `update_note`, not this file.

export const name = "update_note";

export type Arguments = { "id": string; "title"?: string; "text"?: string; "due"?: string | null; };

export type Result = { "changed": Array<string>; };
