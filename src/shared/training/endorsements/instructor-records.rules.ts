import type { EndorsementTemplate } from './catalog/endorsement-template.ts'

/** The kinds of endorsement of which an instructor keeps a record: 14 CFR 61.189(b). */
export const instructorRecordKinds = ['solo', 'knowledge_test', 'practical_test'] as const
export type InstructorRecordKind = (typeof instructorRecordKinds)[number]

/**
 * Returns the kind of an endorsement that an instructor must keep a record of: for solo flight, or a recommendation for
 * a knowledge test, practical test or proficiency check. Null for other endorsements. 14 CFR 61.189(b).
 */
export function instructorRecordKind({ title, subject }: EndorsementTemplate): InstructorRecordKind | null {
  if (/\bsolo\b/i.test(title)) return 'solo'
  if (subject === 'practical_test' || /practical test|proficiency check/i.test(title)) return 'practical_test'
  return /knowledge test/i.test(title) ? 'knowledge_test' : null
}
