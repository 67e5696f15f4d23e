import { Conflict } from '../kernel/errors.ts'
import type { Conflicting } from './conflicting.rules.ts'

/** The state that a trigger leads to, as its table says. @throws Conflict when the table refuses it */
export function mustAllow<State extends string>(next: State | Conflicting): State {
  if (typeof next === 'string') return next
  throw new Conflict(next.message, next.code)
}
