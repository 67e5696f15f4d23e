import { z } from 'zod'
import { findPasswordHash } from '../../shared/identity/accounts/account.queries.ts'
import { passwordFits } from '../../shared/identity/accounts/hash-password.ts'
import { identityErrors } from '../../shared/identity/identity.errors.ts'
import type { Account } from '../../shared/platform/authz/actor.ts'
import { Invalid } from '../../shared/platform/kernel/errors.ts'
import type { AnyCall, RateLimit } from './declaration.ts'

/** How long a sign-in counts as recent, in milliseconds. */
const RECENT_MS = 15 * 60_000

const WRONG = 'password: is not right'

/** The field of a body with the caller's password. */
export const PasswordAgain = z
  .string()
  .max(256)
  .optional()
  .describe('The caller’s password, when the sign-in is older than 15 minutes (403 `REAUTHENTICATE`)')
  .meta({ examples: ['correct horse battery staple'] })

/** The limit of wrong passwords, for endpoints that require the password again. */
export const passwordAttempts: Required<
  RateLimit<{ account: Account; body: { password?: string | undefined } }>
>['failures'] = {
  limit: 'reauthentication',
  // Requests without a password have another key, so that wrong passwords do not block them.
  key: ({ account, body }) => `${body.password === undefined ? 'recent ' : ''}${account.accountId}`,
  failed: (error) => error instanceof Invalid && error.message === WRONG,
}

/**
 * Checks that the caller signed in within the last 15 minutes, or that the given password is right. Endpoints call it
 * that would let a stolen token do lasting harm.
 * Implements interface §Sessions.
 * @throws Forbidden REAUTHENTICATE when the sign-in is older and there is no password.
 * @throws Invalid when the password is wrong.
 */
export async function mustBeRecentlyProved(
  { account, db, now }: { account: Account; db: AnyCall['db']; now: Date },
  password: string | undefined,
): Promise<void> {
  if (now.getTime() - account.authTime.getTime() <= RECENT_MS) return
  if (password === undefined) {
    throw identityErrors.proveAgain()
  }
  if (!(await passwordFits(password, await findPasswordHash(db, account.accountId))))
    throw identityErrors.passwordWrong()
}
