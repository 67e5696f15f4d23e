import { hash, verify } from '@node-rs/argon2'
import { composed } from '../../platform/kernel/text.ts'

/** Cost of Argon2id (the library's default variant): 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * The hash to verify against when there is no account, so that an unknown address takes as long to refuse as a wrong
 * password.
 */
const dummyHash = hash('nobody has this password', cost)

/** Returns the Argon2id hash of a password, in PHC string format. */
export function hashPassword(password: string): Promise<string> {
  return hash(stablePassword(password), cost)
}

/**
 * Returns a password as every keyboard writes it: composed letters, and blanks of one kind (RFC 8265, OpaqueString). Macs write the
 * same letter in another way than other machines.
 */
function stablePassword(password: string): string {
  return composed(password.replace(/\p{Zs}/gu, ' '))
}

/**
 * Returns whether the password has this hash, in its stable form or as it was typed, which older hashes are of. Without a hash it
 * takes equally long and returns false.
 * Implements interface §Errors: sign-in does not reveal whether an account exists.
 */
export async function passwordFits(password: string, passwordHash: string | null): Promise<boolean> {
  const against = passwordHash ?? (await dummyHash)
  const stable = stablePassword(password)
  const fits = (await verify(against, stable)) || (stable !== password && (await verify(against, password)))
  return passwordHash !== null && fits
}
