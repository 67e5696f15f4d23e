import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, record } from '../../platform/db/columns.ts'

/**
 * A person who can sign in. `email` is lower case and unique among accounts that are not deleted; a deleted account has
 * an empty one.
 * Tokens issued before `tokensValidFrom` are refused: a password reset and a deletion move it.
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

export const mailTokenPurposes = ['verify_email', 'reset_password'] as const

/** A single-use mailed link. Only the SHA-256 hash of its token is stored. */
export const MailToken = defineEntity({
  name: 'MailToken',
  tableName: 'mail_token',
  properties: {
    ...record,
    accountId: p.integer(),
    purpose: p.enum(mailTokenPurposes),
    /** The token is derived from this seed and the service's key, so the stored seed alone is worthless. */
    seed: p.text(),
    tokenHash: p.text(),
    expiresAt: instant(),
    usedAt: instant().nullable(),
  },
})
export type MailToken = InferEntity<typeof MailToken>

/** A network that an account signed in from, as a keyed hash. `updatedAt` is the time of the latest sign-in. */
export const SignInNetwork = defineEntity({
  name: 'SignInNetwork',
  tableName: 'sign_in_network',
  properties: { ...record, accountId: p.integer(), network: p.text() },
})
export type SignInNetwork = InferEntity<typeof SignInNetwork>

/** A device that receives push messages. A token belongs to the account that registered it last. */
export const PushDevice = defineEntity({
  name: 'PushDevice',
  tableName: 'push_device',
  properties: { ...record, accountId: p.integer(), token: p.text() },
})
export type PushDevice = InferEntity<typeof PushDevice>
