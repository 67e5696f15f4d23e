import { certificateTests } from './catalog/certificates.ts'
import type { EndorsementTemplate } from './catalog/endorsement-template.ts'
import { furtherPrivileges } from './catalog/further-privileges.ts'
import { helicopters } from './catalog/helicopters.ts'
import { instructors } from './catalog/instructors.ts'
import { sportAndRecreational } from './catalog/sport-and-recreational.ts'
import { studentPilots } from './catalog/student-pilots.ts'

/** The catalog of endorsements, in the order of the advisory circular. */
export const endorsementTemplates: readonly EndorsementTemplate[] = [
  ...studentPilots,
  ...sportAndRecreational,
  ...certificateTests,
  ...instructors,
  ...helicopters,
  ...furtherPrivileges,
]

const byCode = new Map(endorsementTemplates.map((template) => [template.code, template]))

/** The template of a code, in either case; null for a code that there is none of. */
export function findEndorsementTemplate(code: string): EndorsementTemplate | null {
  return byCode.get(code.toUpperCase()) ?? null
}
