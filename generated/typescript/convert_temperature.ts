// Written by toolc. Edit the definition of `convert_temperature`, not this file.

export const name = "convert_temperature";

export type Arguments = { "celsius": number; };

export type Result = { "fahrenheit": number; };
