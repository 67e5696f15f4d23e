import { z } from 'zod'
import { findPasswordHash } from '../../shared/identity/accounts/account.queries.ts'
import { passwordFits } from '../../shared/identity/accounts/hash-password.ts'
import { identityErrors } from '../../shared/identity/identity.errors.ts'
import type { Account } from '../../shared/platform/authz/actor.ts'
import { Invalid } from '../../shared/platform/kernel/errors.ts'
import type { AnyCall, AnyDeclaration, RateLimit } from './declaration.ts'

/** How long a sign-in counts as recent, in milliseconds. */
const RECENT_MS = 15 * 60_000

const WRONG = 'password: is not right'

/** The field of a body for the caller's password, with which an old sign-in is confirmed. */
export const PasswordAgain = z
  .string()
  .max(256)
  .describe('The caller’s password. Required when the sign-in is older than 15 minutes (403 `REAUTHENTICATE`)')
  .meta({ id: 'PasswordAgain' })
  .optional()

/**
 * The limit of wrong passwords for endpoints that ask for the password again. Requests without a password do not count.
 */
export const passwordAttempts: Required<RateLimit<AnyCall>>['failures'] = {
  limit: 'reauthentication',
  key: (call) => String(accountOf(call).accountId),
  failed: (error) => error instanceof Invalid && error.message === WRONG,
}

/** Returns the password in the body; undefined when there is none. */
export function passwordOf({ body }: { body: unknown }): string | undefined {
  const { password } = (body ?? {}) as { password?: string }
  return password
}

/**
 * Checks, for requests that `asksAgain` selects, that the caller signed in within the last 15 minutes or that the given
 * password is right.
 * Implements interface §Sessions.
 * @throws Invalid when the password is wrong.
 */
export async function assertIsRecentlyProved({ asksAgain }: AnyDeclaration, call: AnyCall): Promise<void> {
  if (!asksAgain || (asksAgain !== 'always' && !asksAgain(call))) return
  const { accountId, authTime } = accountOf(call)
  if (call.now.getTime() - authTime.getTime() <= RECENT_MS) return
  const password = passwordOf(call)
  if (password === undefined) throw identityErrors.proveAgain()
  if (!(await passwordFits(password, await findPasswordHash(call.db, accountId)))) throw identityErrors.passwordWrong()
}

/** Returns an endpoint that also declares the errors of the repeated password check. */
export function withProofErrors<D extends AnyDeclaration>(endpoint: D): D {
  if (!endpoint.asksAgain) return endpoint
  const wrong = endpoint.body ? [identityErrors.passwordWrong] : []
  return { ...endpoint, errors: [...(endpoint.errors ?? []), ...wrong, identityErrors.proveAgain] }
}

function accountOf({ account }: { account: unknown }): Account {
  if (!account) throw new Error('an endpoint without a caller asks nobody again')
  return account as Account
}
