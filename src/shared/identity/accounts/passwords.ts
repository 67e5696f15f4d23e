import { hash, verify } from '@node-rs/argon2'

/** Argon2id (the library's default variant) with 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A hash to compare with when there is no account, so that an unknown address takes as long to refuse. */
const nobody = hash('nobody has this password', cost)

/** The Argon2id hash of a password, in PHC form. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** Whether the password fits the hash; without a hash it takes as long and is always false. */
export async function passwordFits(password: string, passwordHash: string | null): Promise<boolean> {
  const fits = await verify(passwordHash ?? (await nobody), password)
  return passwordHash !== null && fits
}
