import { type InferEntity, p } from '@mikro-orm/core'
import { instant, record } from '../platform/db/columns.ts'
import { aggregate, log, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'

/**
 * A person who can sign in. `email` is lower case and unique among accounts that are not deleted; it is empty after the
 * deletion. Tokens issued for sign-ins before `tokensValidFrom` are refused. It is set to the present time when earlier
 * access is revoked, such as by a password reset or an operator's command.
 */
export const Account = aggregate('account', {
  rights: 'no delete',
  columns: {
    ...record,
    name: p.text(),
    email: p.text(),
    phone: p.text().nullable(),
    passwordHash: p.text(),
    emailVerifiedAt: instant().nullable(),
    tokensValidFrom: instant(),
    /**
     * The membership that the next sign-in opens: that of the organization which the person created, joined or switched
     * to last.
     */
    activeMembershipId: member.act('settings', 'none').nullable(),
    deletedAt: instant().nullable(),
  },
})
export type Account = InferEntity<typeof Account>

const mailTokenPurposes = ['verify_email', 'reset_password'] as const

export type MailTokenPurpose = (typeof mailTokenPurposes)[number]

/** A single-use mailed link. Only the SHA-256 hash of its token is stored. */
export const MailToken = log('mail_token', {
  kept: { days: 7, since: 'expiresAt' },
  columns: {
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
export const SignInNetwork = log('sign_in_network', {
  /** Kept for 30 days after the latest sign-in. */
  kept: { days: 30, since: 'updatedAt' },
  columns: { ...record, accountId: p.integer(), network: p.text() },
})

/** A device that receives push messages. A token belongs to the account that registered it last. */
export const PushDevice = set('push_device', {
  kept: { unless: 'account_id in (select id from account where deleted_at is not null)' },
  columns: { ...record, accountId: p.integer(), token: p.text() },
})
