import { shortened } from './shortened.ts'

/** Invisible characters: controls, text directions, joiners. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu
const ADDRESS = /:\/\/|www\./i
/** The most characters of a name in a mail's subject. */
const LONGEST = 80

/** Returns whether a name contains a web address, in any script. */
export function holdsAddress(name: string): boolean {
  return ADDRESS.test(name.replace(UNSEEN, '').normalize('NFKC'))
}

/**
 * Returns a name for mails to people who do not know its owner: one line of at most 80 visible characters. Words with a
 * web address, in names older than the rule against them, become `…`.
 */
export function cleanName(name: string): string {
  const words = name.toWellFormed().replace(/\s+/gu, ' ').replace(UNSEEN, '').trim().split(' ')
  return shortened(words.map((word) => (holdsAddress(word) ? '…' : word)).join(' '), LONGEST)
}
