import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, record } from '../../platform/db/columns.ts'

/**
 * A person's account. `email` is lower case and unique among the accounts that are not deleted, which have none.
 * Tokens issued before `tokensValidFrom` are refused (password reset, deletion).
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
    /** Where a sign-in leads: the organization created, joined or switched to last. */
    activeMembershipId: p.integer().nullable(),
    deletedAt: instant().nullable(),
  },
})
export type Account = InferEntity<typeof Account>

export const mailTokenPurposes = ['verify_email', 'reset_password'] as const

/** A single-use link that was mailed. Only the SHA-256 of the token is stored. */
export const MailToken = defineEntity({
  name: 'MailToken',
  tableName: 'mail_token',
  properties: {
    ...record,
    accountId: p.integer(),
    purpose: p.enum(mailTokenPurposes),
    /** The token is made from this and the service's key; what is stored here opens nothing. */
    seed: p.text(),
    tokenHash: p.text(),
    expiresAt: instant(),
    usedAt: instant().nullable(),
  },
})
export type MailToken = InferEntity<typeof MailToken>

/** A network that an account signed in from, as a mark; `updatedAt` says when it did last. */
export const SignInNetwork = defineEntity({
  name: 'SignInNetwork',
  tableName: 'sign_in_network',
  properties: { ...record, accountId: p.integer(), network: p.text() },
})
export type SignInNetwork = InferEntity<typeof SignInNetwork>

/** A device that receives pushes. A token belongs to one account: the last that registered it. */
export const PushDevice = defineEntity({
  name: 'PushDevice',
  tableName: 'push_device',
  properties: { ...record, accountId: p.integer(), token: p.text() },
})
export type PushDevice = InferEntity<typeof PushDevice>
