import { drillKills } from './mail-faults.ts'

drillKills('postgres')
