import type { Fault } from "./fault.ts";
import { FAULTS_OF_ANSWERS } from "./of-answers.ts";
import { FAULTS_OF_DATA } from "./of-data.ts";
import { FAULTS_OF_OPERATION } from "./of-operation.ts";
import { FAULTS_OF_RULES } from "./of-rules.ts";
import { FAULTS_OF_SERVER } from "./of-server.ts";

/** Every fault that is planted. */
export const FAULTS: Fault[] = [...FAULTS_OF_RULES, ...FAULTS_OF_SERVER, ...FAULTS_OF_ANSWERS, ...FAULTS_OF_DATA, ...FAULTS_OF_OPERATION];
