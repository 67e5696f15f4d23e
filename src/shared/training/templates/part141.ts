import type { RequirementTemplate, StageTemplate, SyllabusTemplate } from './syllabus-template.ts'

/** The parts of a Part 141 course that differ from the Part 61 course whose lessons it uses. */
interface Approved
  extends Pick<SyllabusTemplate, 'key' | 'name' | 'description' | 'requirements'>,
    Required<Pick<SyllabusTemplate, 'appendix'>> {
  /** The code of the requirement to which ground lessons post credit. */
  ground: string
  /** The ground school, which is the first stage. */
  groundSchool: StageTemplate
  /** Additional lessons, as the stage before the last one. */
  practice?: StageTemplate
}

/**
 * Returns a course under an appendix of 14 CFR Part 141 that uses the lessons of a Part 61 course. Credits to
 * requirements that the Part 141 course does not have are removed. Every ground lesson also credits the requirement
 * `ground`.
 */
export function underPart141(
  course: SyllabusTemplate,
  { ground, groundSchool, practice, ...own }: Approved,
): SyllabusTemplate {
  const last = course.stages.length - 1
  const stages = [
    groundSchool,
    ...course.stages.slice(0, last),
    ...(practice ? [practice] : []),
    ...course.stages.slice(last),
  ]
  const codes = new Set(own.requirements.map(({ code }) => code))
  return {
    ...course,
    ...own,
    stages: stages.map((stage) => ({
      ...stage,
      lessons: stage.lessons.map(({ credits = {}, ...lesson }) => ({
        ...lesson,
        credits: {
          ...Object.fromEntries(Object.entries(credits).filter(([code]) => codes.has(code))),
          ...(lesson.kind === 'ground' ? { [ground]: 'ground' as const } : {}),
        },
      })),
    })),
  }
}

/** Returns a requirement, in hours or as a count, that must be flown in an aircraft: time in devices does not count. */
export function flown(code: string, label: string, least: Pick<RequirementTemplate, 'deciHours' | 'count' | 'days'>) {
  return { code, label, simulatorBps: 0, ...least } satisfies RequirementTemplate
}
