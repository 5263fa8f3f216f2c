// Written by toolc. Edit the definition of `list_dates`, not this file.

export const name = "list_dates";

export type Arguments = { "start": string; "every"?: number; "unit"?: "days" | "weeks" | "months"; "until"?: unknown; "count"?: number; };

export type Result = Array<string>;
