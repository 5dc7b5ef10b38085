// States two facts that contradict each other and has a prompt recollected.
//
//     node example.mjs 127.0.0.1:7700
import { Festinger, Outcome_Verdict, Turn_Role } from "festinger-client";

const memory = new Festinger(process.argv[2] ?? "127.0.0.1:7700");
for (const fact of ["gnommoweb -isa repo", "gnommoweb -isa database"]) {
  const { verdict } = await memory.assert(fact);
  console.log(`${fact}: ${Outcome_Verdict[verdict]}`);
}
const turns = [{ role: Turn_Role.USER, text: "Where does gnommoweb stand?" }];
console.log((await memory.recollect({ turns })).block);
memory.close();
