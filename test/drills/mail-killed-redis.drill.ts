import { drillKills } from './mail-faults.ts'

drillKills('redis')
