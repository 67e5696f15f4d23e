/**
 * The template of an endorsement. Its text has `{{placeholders}}`: the instructor edits it before signing, and the
 * signed text is stored.
 */
export interface EndorsementTemplate {
  /** The number in the advisory circular. */
  code: string
  title: string
  /** The regulation, such as `61.87(n)`. */
  rule: string
  text: string
  /** Default validity in days; null for no expiry. */
  validityDays: number | null
}

/** The advisory circular that numbers the codes. Other editions number differently. */
export const EDITION = 'AC 61-65H'

/** Builds one template of the catalog. */
export function template(
  code: string,
  title: string,
  rule: string,
  text: string,
  validityDays: number | null = null,
): EndorsementTemplate {
  return { code, title, rule, text, validityDays }
}
