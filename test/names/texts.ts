/** Models with values without end whose classes are known. */
import { readFileSync } from 'node:fs';

export const CHALLENGE = readFileSync('models/challenge-response.orbit', 'utf8');

/** Owners of safes cut keys, lock with them, open what they lock, and lose them. */
export const SAFES = `
model Safes
param N: 1 .. 4 = 2
type Owner = 1 .. N
enum Key = { .. }
var mine: Key?[Owner] = none
var lock: Key?[Owner] = none
process O[i: Owner] { loop {
    choose { cut: when mine[i] == none { mine[i] := new Key } }
    or { close: when mine[i] != none && lock[i] == none { lock[i] := mine[i] } }
    or { open: when lock[i] != none && mine[i] == lock[i] { assert forall j in Owner: j == i || lock[j] != mine[i]; lock[i] := none } }
    or { lose: when mine[i] != none { mine[i] := none } } } }
`;

/** The alternating bit protocol with places for one packet and one answer, which get lost; the data are any. */
export const ALTERNATING_BIT = `
model Abp
enum Data = { .. }
enum Bit = { zero, one }
function other(b: Bit): Bit = if b == zero then one else zero
var sent: Data? = none
var got: Data? = none
var bit: Bit = zero
var wanted: Bit = zero
var packet: Data? = none
var packetBit: Bit? = none
var answer: Bit? = none
process S { loop {
  choose v in Data { next: when sent == none { sent := v } } 
  or { send: when sent != none && packetBit == none { packet := sent; packetBit := bit } }
  or { done: when answer == bit && sent != none { assert got == sent; answer := none; sent := none; bit := other(bit) } }
  or { old: when answer != none && answer != bit { answer := none } }
} }
process R { loop {
  choose { take: when packetBit == wanted && answer == none { got := packet; packet := none; packetBit := none; answer := wanted; wanted := other(wanted) } }
  or { repeated: when packetBit != none && packetBit != wanted && answer == none { answer := packetBit; packetBit := none; packet := none } }
} }
process Net { loop {
  choose { lose: when packetBit != none { packetBit := none; packet := none } }
  or { loseAnswer: when answer != none { answer := none } }
} }
`;
