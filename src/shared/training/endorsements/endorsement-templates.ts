import { certificateTests } from './catalog/certificates.ts'
import type { EndorsementTemplate } from './catalog/endorsement-template.ts'
import { furtherPrivileges } from './catalog/further-privileges.ts'
import { helicopters } from './catalog/helicopters.ts'
import { instructors } from './catalog/instructors.ts'
import { sportAndRecreational } from './catalog/sport-and-recreational.ts'
import { studentPilots } from './catalog/student-pilots.ts'

/** The catalog of endorsement templates, in the order of AC 61-65. */
export const endorsementTemplates: readonly EndorsementTemplate[] = [
  ...studentPilots,
  ...sportAndRecreational,
  ...certificateTests,
  ...instructors,
  ...helicopters,
  ...furtherPrivileges,
]

const byCode = new Map(endorsementTemplates.map((template) => [template.code, template]))

/** Returns the template of a code in upper or lower case, or null when there is none. */
export function findEndorsementTemplate(code: string): EndorsementTemplate | null {
  return byCode.get(code.toUpperCase()) ?? null
}
