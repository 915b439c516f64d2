use ludens_gdl::*;
fn main() {
    let limits = error::Limits::default();
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).unwrap();
        let t = cpu_time::ThreadTime::now();
        let name = file.rsplit('/').next().unwrap().to_string();
        let r = (|| -> Result<String, error::GdlError> {
            let mut rules = syntax::Rules::parse(&text, &limits)?;
            let program = normal::normalise(&mut rules, &limits)?;
            let (rel, init) = ground::evaluate_statics(&program, &mut rules.terms, &limits)?;
            let ts = t.elapsed().as_secs_f64();
            let g = ground::ground(&program, rel, &init, &mut rules.terms, &limits)?;
            let tg = t.elapsed().as_secs_f64();
            let n = game_network::build(&g, &rules.roles, &rules.terms)?;
            Ok(format!("static {ts:.3} ground {tg:.3} clauses {} facts {} moves {} inst {} work {} nodes {} wires {} loops {:?}", program.clauses.len(), n.facts.len(), n.moves.len(), g.instances.len(), g.work, n.gates.len(), n.gates.wire_count(), n.gates.loops.iter().map(|l| (l.variables.len(), l.gates.len())).take(5).collect::<Vec<_>>()))
        })();
        println!("{:28} {:.3}s {}", name, t.elapsed().as_secs_f64(), r.unwrap_or_else(|e| format!("ERROR {e}")));
    }
}
