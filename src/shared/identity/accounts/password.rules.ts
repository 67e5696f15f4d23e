import { identityErrors } from '../identity.errors.ts'

export const PASSWORD_MIN = 10
export const PASSWORD_MAX = 256
/**
 * Only this many leading characters are estimated: a password that is weak within them is refused, whatever follows.
 */
const JUDGED_CHARACTERS = 64
/** Limits on the personal words that a password is compared with: their number, and the characters of each. */
const PERSONAL_WORDS = 6
const PERSONAL_WORD_MAX = 40
/** Shorter words occur in nearly every password, so they are left out. */
const PERSONAL_WORD_MIN = 3

/**
 * Refuses a password by its length alone.
 * Implements interface §Authentication and accounts, POST /users.
 */
export function checkPasswordLength(password: string): void {
  if (password.length < PASSWORD_MIN) throw identityErrors.passwordShort({ minimum: PASSWORD_MIN })
  if (password.length > PASSWORD_MAX) throw identityErrors.passwordLong({ limit: PASSWORD_MAX })
}

/** Returns the part of a password that is estimated. */
export function judgedPart(password: string): string {
  return password.slice(0, JUDGED_CHARACTERS)
}

/**
 * Returns at most six words, in lower case, that make a person's password easy to guess: first the local part of the
 * address and the whole name, then the words of the name and of the address.
 */
export function personalWords({ name, email }: { name: string; email: string }): string[] {
  const split = (text: string) => text.split(/[^\p{L}\p{N}]+/u)
  const [local = ''] = email.split('@')
  const all = [local, split(name).join(''), ...split(name), ...split(local), ...split(email)]
  const usable = all
    .map((word) => word.toLowerCase().slice(0, PERSONAL_WORD_MAX))
    .filter((word) => word.length >= PERSONAL_WORD_MIN)
  return [...new Set(usable)].slice(0, PERSONAL_WORDS)
}
