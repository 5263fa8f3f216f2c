// Written by toolc. Edit the definition of `outline-text`, not this file.

export const name = "outline-text";

export type Arguments = { "text": string; "depth"?: number; };

export type Result = { "sections": Array<unknown>; };
