import { shortened } from './shortened.ts'

/** What is not seen: controls, directions of text, joiners. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu
const ADDRESS = /:\/\/|www\./i
/** The longest name that stands in the subject of a mail. */
const LONGEST = 80

/** Whether a name holds an address of the web, in whatever letters it is written. */
export function holdsAddress(name: string): boolean {
  return ADDRESS.test(name.replace(UNSEEN, '').normalize('NFKC'))
}

/**
 * A name as it stands in mails to people who do not know its owner: one line of at most 80 characters without what is
 * not seen; the words that hold an address, in names older than the rule against them, become `…`.
 */
export function cleanName(name: string): string {
  const words = name.toWellFormed().replace(/\s+/gu, ' ').replace(UNSEEN, '').trim().split(' ')
  return shortened(words.map((word) => (holdsAddress(word) ? '…' : word)).join(' '), LONGEST)
}
