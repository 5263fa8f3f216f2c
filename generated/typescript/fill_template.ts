// Written by toolc. Edit the definition of `fill_template`, not this file.

export const name = "fill_template";

export type Arguments = { "template": string; };

export type Result = { "text": string; };
