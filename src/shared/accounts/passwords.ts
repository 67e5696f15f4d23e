import { hash, verify } from '@node-rs/argon2'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'
import { Invalid } from '../kernel/errors.ts'

export const PASSWORD_MIN = 10
export const PASSWORD_MAX = 256

/** Argon2id (the library's default variant) with 19 MiB, 2 passes, 1 lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

let strength: ZxcvbnFactory | undefined

/** Made at the first use: it ranks its word lists, which takes longer than most of what a process does to start. */
function judge(): ZxcvbnFactory {
  strength ??= new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
  })
  return strength
}

/** A hash to compare with when there is no account, so that an unknown address takes as long to refuse. */
const nobody = hash('nobody has this password', cost)

/**
 * Refuses a password that is too short, too long or easily guessed, also from what is known about the person.
 * @throws Invalid with what would make it better.
 */
export function checkPassword(password: string, about: string[]): void {
  if (password.length < PASSWORD_MIN) throw new Invalid(`password: must have at least ${PASSWORD_MIN} characters`)
  if (password.length > PASSWORD_MAX) throw new Invalid(`password: must have at most ${PASSWORD_MAX} characters`)
  const words = about.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))
  const { score, feedback } = judge().check(password, [...about, ...words, words.join('')].filter(Boolean))
  if (score < 2) {
    const advice = [feedback.warning, ...feedback.suggestions].filter(Boolean).join(' ')
    throw new Invalid(`password: is too easy to guess. ${advice}`.trim())
  }
}

/** The Argon2id hash of a password, in PHC form. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** Whether the password fits the hash; without a hash it takes as long and is always false. */
export async function passwordFits(password: string, passwordHash: string | null): Promise<boolean> {
  const fits = await verify(passwordHash ?? (await nobody), password)
  return passwordHash !== null && fits
}
