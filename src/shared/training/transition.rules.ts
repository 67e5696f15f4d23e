import type { CodeOf } from '../platform/kernel/error-codes.ts'
import { Conflict, type Sentence } from '../platform/kernel/errors.ts'

/** Why a transition is refused: the code and the message of a 409. */
export interface Conflicting {
  code: CodeOf<409>
  message: Sentence
}

/** Returns the state after a trigger, from a transition table. */
export function assertTransition<State extends string, Trigger extends string>(
  transitions: Readonly<Record<State, Readonly<Record<Trigger, State | Conflicting>>>>,
  state: State,
  trigger: Trigger,
): State {
  const next: State | Conflicting = transitions[state][trigger]
  if (typeof next !== 'string') throw new Conflict(next.message, next.code)
  return next
}
