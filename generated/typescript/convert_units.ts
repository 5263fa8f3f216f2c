// Written by toolc. Edit the definition of `convert_units`, not this file.

export const name = "convert_units";

export type Arguments = { "value": number | Array<number>; "from": "mm" | "cm" | "m" | "km" | "in" | "ft" | "mi" | "g" | "kg" | "oz" | "lb" | "ml" | "l" | "gal" | "\u00b0C" | "\u00b0F" | "K"; "to": "mm" | "cm" | "m" | "km" | "in" | "ft" | "mi" | "g" | "kg" | "oz" | "lb" | "ml" | "l" | "gal" | "\u00b0C" | "\u00b0F" | "K"; "digits"?: number; };

export type Result = { "result": number | Array<number>; };
