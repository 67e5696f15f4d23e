import type { RequirementTemplate, StageTemplate, SyllabusTemplate } from './syllabus-template.ts'

/** What a course under Part 141 has in place of the Part 61 course whose lessons it takes. */
interface Approved
  extends Pick<SyllabusTemplate, 'key' | 'name' | 'description' | 'requirements'>,
    Required<Pick<SyllabusTemplate, 'appendix'>> {
  /** The requirement that ground lessons credit. */
  ground: string
  /** The ground school, before the other stages. */
  groundSchool: StageTemplate
  /** Further lessons, as a stage before the last one. */
  practice?: StageTemplate
}

/**
 * Returns the course of an appendix of 14 CFR Part 141 that takes over the lessons of a Part 61 course. Lessons credit the
 * requirements that the appendix has, and every ground lesson its ground training.
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

/** Returns a requirement of hours or of a count that is flown in an aircraft: devices do not count. */
export function flown(code: string, label: string, least: Pick<RequirementTemplate, 'deciHours' | 'count' | 'days'>) {
  return { code, label, simulatorBps: 0, ...least } satisfies RequirementTemplate
}
