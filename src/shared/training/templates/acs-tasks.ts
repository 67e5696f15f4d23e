import { commercialTasks } from './acs/commercial.ts'
import { instructorTasks } from './acs/instructor.ts'
import { privateTasks } from './acs/private.ts'

/** The tasks of the Instrument Rating – Airplane ACS (FAA-S-ACS-8C) for a single-engine airplane. */
const instrumentTasks = {
  'IR.I.A': 'Pilot Qualifications',
  'IR.I.B': 'Weather Information',
  'IR.I.C': 'Cross-Country Flight Planning',
  'IR.II.A': 'Airplane Systems Related to Instrument Flight Rules Operations',
  'IR.II.B': 'Aircraft Flight Instruments and Navigation Equipment',
  'IR.II.C': 'Instrument Flight Deck Check',
  'IR.III.A': 'Compliance with Air Traffic Control Clearances',
  'IR.III.B': 'Holding Procedures',
  'IR.IV.A': 'Instrument Flight',
  'IR.IV.B': 'Recovery from Unusual Flight Attitudes',
  'IR.V.A': 'Intercepting and Tracking Navigational Systems and DME Arcs',
  'IR.V.B': 'Departure, En Route, and Arrival Operations',
  'IR.VI.A': 'Nonprecision Approach',
  'IR.VI.B': 'Precision Approach',
  'IR.VI.C': 'Missed Approach',
  'IR.VI.D': 'Circling Approach',
  'IR.VI.E': 'Landing from an Instrument Approach',
  'IR.VII.A': 'Loss of Communications',
  'IR.VII.D': 'Approach with Loss of Primary Flight Instrument Indicators',
  'IR.VIII.A': 'Checking Instruments and Equipment',
} as const

/** The tasks of the Airman Certification Standards that the templates use, by code. */
export const acsTasks = { ...privateTasks, ...instrumentTasks, ...commercialTasks, ...instructorTasks } as const

export type AcsCode = keyof typeof acsTasks
