import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, record } from '../../platform/db/columns.ts'

/**
 * A person who can sign in. `email` is lower case and unique among accounts that are not deleted; a deleted account
 * has an empty one. Tokens of sign-ins before `tokensValidFrom` are refused: a password reset, a deletion and an
 * operator's command set it to their instant.
 */
export const Account = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    ...record,
    name: p.text(),
    email: p.text(),
    phone: p.text().nullable(),
    passwordHash: p.text(),
    emailVerifiedAt: instant().nullable(),
    tokensValidFrom: instant(),
    /** The membership that a sign-in opens: of the organization created, joined or switched to last. */
    activeMembershipId: p.integer().nullable(),
    deletedAt: instant().nullable(),
  },
})
export type Account = InferEntity<typeof Account>
