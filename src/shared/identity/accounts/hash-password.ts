import { hash, verify } from '@node-rs/argon2'
import { composed } from '../../platform/kernel/text.ts'

/** Cost of Argon2id (the library's default variant): 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * A hash that no password has. It is verified when there is no account, so that the refusal of an unknown address takes
 * as long as that of a wrong password.
 */
const dummyHash = hash('nobody has this password', cost)

/** Returns the Argon2id hash of a password, in PHC string format. */
export function hashPassword(password: string): Promise<string> {
  return hash(stablePassword(password), cost)
}

/**
 * Returns the normalized form of a password: letters composed (NFC) and all kinds of space replaced by U+0020 (RFC
 * 8265, OpaqueString). Without it, the same password typed on a Mac and on another computer can differ.
 */
function stablePassword(password: string): string {
  return composed(password.replace(/\p{Zs}/gu, ' '))
}

/**
 * Returns whether the password has this hash, either normalized or as typed: older hashes were made from the password
 * as typed. When `passwordHash` is null, returns false after the same time.
 * Implements interface §Errors: sign-in does not reveal whether an account exists.
 */
export async function passwordFits(password: string, passwordHash: string | null): Promise<boolean> {
  const against = passwordHash ?? (await dummyHash)
  const stable = stablePassword(password)
  const fits = (await verify(against, stable)) || (stable !== password && (await verify(against, password)))
  return passwordHash !== null && fits
}
