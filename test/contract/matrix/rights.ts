import type { DeskGrant } from '../../../src/shared/platform/authz/desk-grants.rules.ts'
import { type Role, roles } from '../../../src/shared/platform/authz/roles.ts'
import type { GrantKind } from '../../../src/shared/training/grants/grants.rules.ts'
import type { Method } from '../../support/app.ts'
import type { RecordName, Records } from '../support/records.ts'

/** Who may call an endpoint, as the specification says it, and a call that shows it. */
export interface Rights {
  endpoint: `${Method} /${string}`
  /** The same endpoint called another way; this names the way. */
  when?: string
  /** Nobody's token is needed, any account's is, or that of a member with one of the roles. */
  who: 'anyone' | 'account' | readonly Role[]
  /** The training grants that let in other members. */
  grants?: readonly GrantKind[]
  /** The desk grants that let in dispatchers and instructors whom their role does not. */
  desk?: readonly DeskGrant[]
  /** What the holder of a desk grant meets whose own flight it is. */
  deskBut?: Partial<Record<Role, 403>>
  /** Closed until the caller's address is verified. */
  verified?: true
  /** What members meet whom their role lets in, because the record is not theirs. */
  but?: Partial<Record<Role, 400 | 403 | 404>>
  /** What the call meets without a token, though none is needed: its own credentials are wrong. */
  stranger?: 401 | 403
  /** The path parameters in order: a record of the caller's organization, or text. */
  at?: readonly (RecordName | { text: string })[]
  query?: string | ((records: Records) => string)
  body?: (records: Records) => unknown
  /** What a record of another organization meets, where it is not 404. */
  foreign?: 200 | 400 | 403
  /** What an id of another organization in the body meets, where it is not 400: 200 with a refusal. */
  foreignInBody?: 200 | 404
  /** Whom it succeeds for, where it is not a member with all roles. */
  by?: Role | 'stranger'
  /** The caller is spent by it: it ends the account or the organization. */
  spends?: true
}

export const members = roles
export const admins = ['owner', 'admin'] as const satisfies Role[]
export const desk = ['owner', 'admin', 'dispatcher'] as const satisfies Role[]
export const staff = ['owner', 'admin', 'dispatcher', 'instructor'] as const satisfies Role[]

/** The name of a row. */
export function nameOf({ endpoint, when }: Rights): string {
  return when ? `${endpoint} (${when})` : endpoint
}
