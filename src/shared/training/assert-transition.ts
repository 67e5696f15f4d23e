import { Conflict } from '../platform/kernel/errors.ts'
import type { Conflicting } from './conflicting.rules.ts'

/** The state that a trigger leads to, as a lifecycle's table says. @throws Conflict where the table refuses it */
export function assertTransition<State extends string, Trigger extends string>(
  transitions: Readonly<Record<State, Readonly<Record<Trigger, State | Conflicting>>>>,
  state: State,
  trigger: Trigger,
): State {
  const next: State | Conflicting = transitions[state][trigger]
  if (typeof next === 'object') throw new Conflict(next.message, next.code)
  return next
}
