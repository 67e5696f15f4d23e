import { defineEntity, p } from '@mikro-orm/core'
import { instant, record } from '../../platform/db/columns.ts'

/*
 * The mailed links, networks and devices of an account. Kysely writes these tables; the ORM only declares their
 * columns.
 */

const mailTokenPurposes = ['verify_email', 'reset_password'] as const

export type MailTokenPurpose = (typeof mailTokenPurposes)[number]

/** A single-use mailed link. Only the SHA-256 hash of its token is stored. */
export const MailToken = defineEntity({
  name: 'MailToken',
  tableName: 'mail_token',
  properties: {
    ...record,
    accountId: p.integer(),
    purpose: p.enum(mailTokenPurposes),
    /** The token is derived from this seed and the service's key, so the stored seed alone does not reveal it. */
    seed: p.text(),
    tokenHash: p.text(),
    expiresAt: instant(),
    usedAt: instant().nullable(),
  },
})
/** A network that an account signed in from, as a keyed hash. `updatedAt` is the time of the latest sign-in. */
export const SignInNetwork = defineEntity({
  name: 'SignInNetwork',
  tableName: 'sign_in_network',
  properties: { ...record, accountId: p.integer(), network: p.text() },
})
/** A device that receives push messages. A token belongs to the account that registered it last. */
export const PushDevice = defineEntity({
  name: 'PushDevice',
  tableName: 'push_device',
  properties: { ...record, accountId: p.integer(), token: p.text() },
})
