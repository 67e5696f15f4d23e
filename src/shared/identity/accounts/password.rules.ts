import { Invalid } from '../../platform/kernel/errors.ts'

const PASSWORD_MIN = 10
const PASSWORD_MAX = 256
/** A password is judged by so many characters at its beginning: those alone decide whether it can be guessed. */
const JUDGED_CHARACTERS = 64
/** So many words about the person are looked for in a password, each of so many characters at most. */
const PERSONAL_WORDS = 6
const PERSONAL_WORD_MAX = 40
/** Shorter ones are in nearly every password. */
const PERSONAL_WORD_MIN = 3

/** Refuses a password by its length alone. @throws Invalid when it is too short or too long. */
export function checkPasswordLength(password: string): void {
  if (password.length < PASSWORD_MIN) throw new Invalid(`password: must have at least ${PASSWORD_MIN} characters`)
  if (password.length > PASSWORD_MAX) throw new Invalid(`password: must have at most ${PASSWORD_MAX} characters`)
}

/** The part of a password that is judged. */
export function judgedPart(password: string): string {
  return password.slice(0, JUDGED_CHARACTERS)
}

/**
 * The words that a password of this person must not be made of: the name and the address as a whole, then the words of
 * each; six in all, however long the two are.
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
