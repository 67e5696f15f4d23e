export const lessonKinds = ['ground', 'flight', 'sim'] as const
export type LessonKind = (typeof lessonKinds)[number]

/** The clocks of a training record: each logs one kind of time. */
export const clocks = ['flight', 'instruction', 'simulator', 'ground'] as const
export type Clock = (typeof clocks)[number]

export const requirementSources = ['part61', 'part141', 'school'] as const
export type RequirementSource = (typeof requirementSources)[number]

export const regulatoryParts = ['part61', 'part141'] as const
export type RegulatoryPart = (typeof regulatoryParts)[number]

export const certificates = ['private', 'instrument', 'commercial', 'cfi', 'atp', 'endorsement', 'other'] as const
