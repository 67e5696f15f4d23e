/**
 * The pattern of an endorsement. The text is a starting point with `{{placeholders}}`: the instructor edits it before
 * signing, and what is signed is kept as it is.
 */
export interface EndorsementTemplate {
  /** The number that the advisory circular gives it. */
  code: string
  title: string
  /** The rules that it is about. */
  rule: string
  text: string
  /** How many days it lasts by default; null without an end. */
  validityDays: number | null
}

/** The advisory circular whose numbers the codes are; later editions may number otherwise. */
export const EDITION = 'AC 61-65H'

/** One template of the catalog. */
export function template(
  code: string,
  title: string,
  rule: string,
  text: string,
  validityDays: number | null = null,
): EndorsementTemplate {
  return { code, title, rule, text, validityDays }
}
