import { text } from 'node:stream/consumers'
import { readKeySet } from '../shared/composition/key-sets.ts'
import { hashPassword } from '../shared/identity/accounts/hash-password.ts'
import { createPasswordJudge } from '../shared/identity/accounts/password-judge.ts'
import { resetPassword } from '../shared/identity/accounts/reset-password.ts'
import { createMailTokens } from '../shared/platform/adapters/tokens/mail-tokens.ts'
import type { Config } from '../shared/platform/config/config.ts'
import { settingsOfRunning } from '../shared/platform/config/running-file.ts'
import { readAddress } from '../shared/platform/kernel/addresses.ts'
import { cleanName } from '../shared/platform/kernel/text.ts'
import { isZone } from '../shared/platform/kernel/zones.ts'
import {
  foundOrganization,
  makeOwner,
  makeResetLink,
  OperatorRefused,
  signOutOwner,
} from '../shared/workflows/change-owners.ts'
import { operator, readSettings, say, transact, withDatabase } from './with-database.ts'

/**
 * `flightline owner create`: makes a person an owner. For a new account it prints a link to set the password; with
 * `passwordStdin` it sets the password from standard input instead.
 * @throws OperatorRefused when a password is given and the account has one already
 */
export async function createOwner(options: {
  organization: number
  email: string
  name?: string
  passwordStdin: boolean
}): Promise<void> {
  const config = readSettings()
  const tokens = createMailTokens(readKeySet(config, 'AUTH_KEYS'))
  const email = addressOf(options.email)
  const input = { organizationId: options.organization, email, name: options.name ?? email }
  const passwordHash = options.passwordStdin ? await hashOfStdin(input) : null
  const { token } = await withDatabase(config, (database) =>
    transact(database, async (tx) => {
      const made = await makeOwner(tx, tokens, operator(), input)
      if (passwordHash === null) return made
      if (!made.token) throw new OperatorRefused(`${email} has an account with a password: see owner reset-password`)
      await resetPassword(tx, tokens, made.token, passwordHash)
      return { token: null }
    }),
  )
  say(`${email} is an owner of organization ${options.organization}; its owners are mailed.`)
  if (token) say(`A new account. Its link to set a password, for one hour and shown once:\n${linkOf(config, token)}`)
}

/**
 * `flightline org create`: creates an organization with an owner, also when sign-up is closed (`SIGN_UP=closed`). For a
 * new account it prints a link to set the password.
 * @throws Error when a name is empty, or the email address or time zone is not valid
 */
export async function createOrganizationFor(options: {
  name: string
  email: string
  phone: string
  ownerName?: string
  timeZone: string
  location: string
}): Promise<void> {
  const config = readSettings()
  const tokens = createMailTokens(readKeySet(config, 'AUTH_KEYS'))
  const email = addressOf(options.email)
  if (!isZone(options.timeZone)) throw new Error(`${options.timeZone} is not a time zone, such as America/Los_Angeles`)
  const [name, location] = [cleanName(options.name), cleanName(options.location)]
  if (name === '' || location === '') throw new Error('a name is empty')
  const owner = { email, name: options.ownerName ?? email }
  const input = {
    name,
    organizationType: 'flight_school' as const,
    showInDirectory: false,
    private: false,
    details: { email, phone: options.phone, address: {} },
    location: { name: location, address: {}, timeZoneName: options.timeZone },
  }
  const { id, token } = await withDatabase(config, (database) =>
    transact(database, (tx) => foundOrganization(tx, tokens, operator(), owner, input)),
  )
  say(`${name} is organization ${id}; ${email} owns it.`)
  if (token) say(`A new account. Its link to set a password, for one hour and shown once:\n${linkOf(config, token)}`)
}

/**
 * `flightline owner reset-password`: prints a link with which an owner sets a new password; with `passwordStdin` it
 * sets the password from standard input instead.
 */
export async function resetOwnersPassword(options: { email: string; passwordStdin: boolean }): Promise<void> {
  const config = readSettings()
  const tokens = createMailTokens(readKeySet(config, 'AUTH_KEYS'))
  const email = addressOf(options.email)
  const passwordHash = options.passwordStdin ? await hashOfStdin({ name: email, email }) : null
  const token = await withDatabase(config, (database) =>
    transact(database, async (tx) => {
      const link = await makeResetLink(tx, tokens, operator(), email)
      if (passwordHash !== null) await resetPassword(tx, tokens, link, passwordHash)
      return link
    }),
  )
  if (passwordHash !== null)
    return say(`${email} has the new password; what was signed in has ended. The owners are mailed.`)
  say(
    `Hand this link over; it works once, for one hour, and is shown once. The owners are mailed.\n${linkOf(config, token)}`,
  )
}

/** `flightline owner sign-out`: ends all access of an owner's account. */
export async function signOutOwnerEverywhere(given: string): Promise<void> {
  const email = addressOf(given)
  await withDatabase(readSettings(), (database) => transact(database, (tx) => signOutOwner(tx, operator(), email)))
  say(
    `${email} is signed out everywhere; calendar addresses, devices and connected accounts ended. The owners are mailed.`,
  )
}

/**
 * Returns the hash of the password on standard input. A password there is in no process list and no shell history.
 * @throws Invalid with advice when it is too short or easy to guess
 */
async function hashOfStdin(about: { name: string; email: string }): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  const judge = createPasswordJudge()
  try {
    await judge.check(password, about)
    return await hashPassword(password)
  } finally {
    await judge.close()
  }
}

/**
 * Returns an email address in the form that accounts store.
 * @throws Error when it is not an address
 */
function addressOf(given: string): string {
  const email = readAddress(given.trim())
  if (email === null) throw new Error(`${given} is not an address`)
  return email
}

/**
 * Returns the link to set a password with a token. Without `PUBLIC_URL` it leads to this machine. A further line then
 * asks the operator to replace the address, because the link is for a person elsewhere.
 */
function linkOf({ PUBLIC_URL, DATA_DIR }: Pick<Config, 'PUBLIC_URL' | 'DATA_DIR'>, token: string): string {
  const link = `${PUBLIC_URL}/reset-password#token=${token}`
  if (process.env.PUBLIC_URL || settingsOfRunning(DATA_DIR).PUBLIC_URL) return link
  return `${link}\nPUBLIC_URL is not set here: put the address of the service in place of ${PUBLIC_URL}.`
}
