import type { CodeOf } from '../platform/kernel/error-codes.ts'

/** Why something cannot be done as things stand: 409 with this code and message. */
export interface Conflicting {
  code: CodeOf<409>
  message: string
}
