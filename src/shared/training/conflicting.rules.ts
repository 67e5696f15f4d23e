import type { CodeOf } from '../platform/kernel/error-codes.ts'

/** Why a transition is rejected: the code and the message of a 409. */
export interface Conflicting {
  code: CodeOf<409>
  message: string
}
