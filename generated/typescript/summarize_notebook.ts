// Written by toolc. Edit the definition of `summarize_notebook`, not this file.

export const name = "summarize_notebook";

export type Arguments = { "notebook"?: string; "minShare"?: number; };

export type Result = { "total": number; "tags": Record<string, number>; "due": Array<{ "id": string; "title": string; "due": string; "remindAt"?: string; }>; "newest": string | null; };
