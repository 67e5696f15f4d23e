import { instrumentRating } from './instrument.ts'
import { lessonPatterns } from './lesson-patterns.ts'
import { flown, underPart141 } from './part141.ts'
import type { LessonTemplate, SyllabusTemplate } from './syllabus-template.ts'

const { dual, ground } = lessonPatterns({ dual: {} })
/**
 * Returns a ground school lesson of 3.0 hours: 8 of them and the ground lessons of the other stages together reach the
 * 30 hours of the appendix.
 */
const school = (subject: string): LessonTemplate => ground(`Ground school: ${subject}`, 30, [{ name: subject }])
const practice = (subject: string): LessonTemplate => dual(`Practice: ${subject}`, 17, [{ name: subject }])

const approved = underPart141(instrumentRating, {
  key: 'instrument_141',
  name: 'Instrument rating, airplane (Part 141)',
  description:
    'A course for approval under 14 CFR Part 141 Appendix C: 30 hours of ground and 35 hours of instrument training; tasks of the Instrument Rating – Airplane ACS, FAA-S-ACS-8C.',
  appendix: 'c',
  ground: 'IR.GROUND',
  requirements: [
    { code: 'IR.GROUND', label: 'Ground training', deciHours: 300, simulatorBps: 0 },
    { code: 'IR.TOTAL', label: 'Instrument training', deciHours: 350 },
    flown('IR.LONG_XC', 'IFR cross-country of 250 NM, one leg of 100 NM, an approach at each airport, three kinds', {
      count: 1,
    }),
  ],
  groundSchool: {
    name: 'Ground school',
    objective: 'The student knows the subjects of Appendix C, section 3(b).',
    lessons: [
      school('Regulations for flight under instrument flight rules'),
      school('The air traffic control system and its procedures'),
      school('Navigation systems and approach charts'),
      school('Weather reports, forecasts and trends'),
      school('Safe and efficient operation under instrument flight rules'),
      school('Recognition of critical weather and windshear'),
      school('Aeronautical decisions and judgment'),
      school('Crew resource management, communication and coordination'),
    ],
  },
  practice: {
    name: 'Instrument practice',
    objective: 'The student flies by instruments with ease.',
    lessons: [
      practice('scan and precision of control'),
      practice('holding with a wind'),
      practice('arrivals and transitions'),
      practice('approaches with vertical guidance'),
      practice('approaches without vertical guidance'),
      practice('missed approaches and diversions'),
      practice('partial panel approaches'),
    ],
  },
})

/**
 * Instrument rating, airplane, under 14 CFR Part 141 Appendix C: all time in flights and devices is instrument
 * training.
 */
export const instrumentRating141: SyllabusTemplate = {
  ...approved,
  stages: approved.stages.map((stage) => ({
    ...stage,
    lessons: stage.lessons.map((lesson) =>
      lesson.kind === 'ground'
        ? lesson
        : {
            ...lesson,
            credits: { ...lesson.credits, 'IR.TOTAL': lesson.kind === 'sim' ? 'simulator' : 'instruction' },
          },
    ),
  })),
}
