import { createMailTokens } from '../shared/platform/adapters/tokens/mail-tokens.ts'
import { makeOwner, makeResetLink, signOutOwner } from '../shared/workflows/change-owners.ts'
import { keySetOf, operator, readSettings, say, transact, withDatabase } from './with-database.ts'

/** `flightline owner create`: makes a person an owner, and prints a link for a new account. */
export async function createOwner(options: { organization: number; email: string; name?: string }): Promise<void> {
  const config = readSettings()
  const tokens = createMailTokens(keySetOf(config))
  const email = addressOf(options.email)
  const input = { organizationId: options.organization, email, name: options.name ?? email }
  const { token } = await withDatabase(config, (database) =>
    transact(database, (tx) => makeOwner(tx, tokens, operator(), input)),
  )
  say(`${email} is an owner of organization ${options.organization}; its owners are mailed.`)
  if (token) say(`A new account. Its link to set a password, for one hour and shown once:\n${linkOf(config, token)}`)
}

/** `flightline owner reset-password`: prints a link with which an owner sets a new password. */
export async function resetOwnersPassword(given: string): Promise<void> {
  const config = readSettings()
  const tokens = createMailTokens(keySetOf(config))
  const token = await withDatabase(config, (database) =>
    transact(database, (tx) => makeResetLink(tx, tokens, operator(), addressOf(given))),
  )
  say(
    `Hand this link over; it works once, for one hour, and is shown once. The owners are mailed.\n${linkOf(config, token)}`,
  )
}

/** `flightline owner sign-out`: ends all access of an owner. */
export async function signOutOwnerEverywhere(given: string): Promise<void> {
  const email = addressOf(given)
  await withDatabase(readSettings(), (database) => transact(database, (tx) => signOutOwner(tx, operator(), email)))
  say(
    `${email} is signed out everywhere; calendar addresses, devices and connected accounts ended. The owners are mailed.`,
  )
}

/** Returns an address as accounts store it. */
function addressOf(given: string): string {
  const email = given.trim().toLowerCase()
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error(`${given} is not an address`)
  return email
}

function linkOf({ PUBLIC_URL }: { PUBLIC_URL: string }, token: string): string {
  return `${PUBLIC_URL}/reset-password#token=${token}`
}
