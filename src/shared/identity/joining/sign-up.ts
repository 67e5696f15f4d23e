import type { MailTokens } from '../../platform/adapters/tokens/mail-tokens.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Invalid } from '../../platform/kernel/errors.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { activateMembership } from '../accounts/account.access.ts'
import { isAddressTaken } from '../accounts/account.queries.ts'
import { mailSignedUpByInvitation } from '../accounts/accounts.jobs.ts'
import { hashPassword } from '../accounts/hash-password.ts'
import { issueMailToken } from '../accounts/issue-mail-token.ts'
import type { PasswordJudge } from '../accounts/password-judge.ts'
import type { SignedIn } from '../accounts/sign-in.ts'
import { Account } from '../accounts.tables.ts'
import { identityErrors } from '../identity.errors.ts'
import { acceptInvitationFor } from './accept-invitation.ts'
import { invitationClosed, lockInvitationOfToken, provesAddress } from './invitation.access.ts'
import { isOpenInvitation } from './invitation.queries.ts'

export interface SignUp {
  name: string
  email: string
  passwordHash: string
  invitationToken?: string | undefined
}

/**
 * Ensures that the configuration allows a new account: `closed` allows none, and `invited` only one with an invitation.
 */
function assertTakesAccounts(signUp: Config['SIGN_UP'], invitationToken: string | undefined): void {
  if (signUp === 'closed' || (signUp === 'invited' && !invitationToken)) throw identityErrors.signUpClosed()
}

/**
 * Returns the hash of the password for a new account. The password is estimated only when the address is free and the
 * invitation is open.
 */
export async function hashForSignUp(
  {
    db,
    mailTokens,
    passwordJudge,
    config,
  }: { db: Db; mailTokens: MailTokens; passwordJudge: PasswordJudge; config: Pick<Config, 'SIGN_UP'> },
  input: Omit<SignUp, 'passwordHash'> & { password: string },
  now: Date,
): Promise<string> {
  const { invitationToken: token } = input
  assertTakesAccounts(config.SIGN_UP, token)
  if (token && !(await isOpenInvitation(db, mailTokens, token, now))) throw invitationClosed()
  if (await isAddressTaken(db, input.email)) throw addressTaken()
  await passwordJudge.check(input.password, input)
  return hashPassword(input.password)
}

/**
 * Creates an account. With an invitation, it also becomes a member of the organization. When the invitation proves its
 * address (`provesAddress`), the address is verified, and a mail tells its owner about the account, because anyone who has the link can sign
 * up. Otherwise a verification link is mailed.
 * Implements interface §Authentication rule 7.
 */
export async function signUp(tx: Tx, mailTokens: MailTokens, input: SignUp): Promise<SignedIn> {
  const invitation = input.invitationToken ? await lockInvitationOfToken(tx, mailTokens, input.invitationToken) : null
  if (await isAddressTaken(tx.db, input.email)) throw addressTaken()
  const verified = await provesAddress(tx, invitation, input.email)
  const account = tx.em.create(Account, {
    name: input.name,
    email: input.email,
    passwordHash: input.passwordHash,
    tokensValidFrom: tx.now,
    emailVerifiedAt: verified ? tx.now : null,
  })
  await tx.em.flush()
  if (verified) tx.enqueue(mailSignedUpByInvitation, { accountId: account.id, signedUpAt: tx.now.toISOString() })
  else await issueMailToken(tx, mailTokens, account.id, 'verify_email')
  const authTime = tx.now.getTime()
  if (!invitation) return { accountId: account.id, organizationId: null, membershipId: null, authTime }
  const membership = await acceptInvitationFor(tx, invitation, account)
  return { ...(await activateMembership(tx, account.id, membership)), authTime }
}

/** Returns the error for an address that already has an account. */
export function addressTaken(): Invalid {
  return platformErrors.addressRegistered()
}
