//! Figures as SVG. Colours are CSS variables of the page, so that they follow its light and dark sides; every
//! series also has its own marker or dash, so that none is told by colour alone.

use std::fmt::Write;

use super::html::escape;
use super::scale::Axis;
use crate::{Figure, FigureKind, Heat, Point, Role, Series};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 62.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 52.0;
/// How many colours the page has.
const COLOURS: usize = 8;

/// The figure's drawing with its legend.
pub fn figure(figure: &Figure) -> String {
    match &figure.kind {
        FigureKind::Plot(series) => plot(figure, series) + &legend(series),
        FigureKind::Bars { categories, series } => bars(figure, categories, series) + &legend(series),
        FigureKind::Heat(heat) => heat_map(figure, heat),
        FigureKind::Svg(svg) => svg.clone(),
    }
}

fn open(figure: &Figure, height: f64) -> String {
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\" class=\"plot\">",
        escape(&figure.title)
    )
}

fn values(series: &[Series]) -> impl Iterator<Item = f64> {
    series.iter().flat_map(|one| &one.points).flat_map(|point| {
        let (low, high) = point.interval.map_or((point.y, point.y), |i| (i.low, i.high));
        [point.y, low, high]
    })
}

fn frame(svg: &mut String, figure: &Figure, x: Option<&Axis>, y: &Axis) {
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    for (value, text) in y.ticks() {
        let at = y.place(value);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            LEFT - 8.0,
            at + 4.0
        );
    }
    for (value, text) in x.map(Axis::ticks).unwrap_or_default() {
        let at = x.map_or(0.0, |x| x.place(value));
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{TOP}\" y2=\"{bottom}\"/><text class=\"tick\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
            bottom + 18.0
        );
    }
    let _ = write!(
        svg,
        "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\"/><text class=\"label\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        (LEFT + right) / 2.0,
        HEIGHT - 10.0,
        escape(&figure.x_label)
    );
    let _ = write!(
        svg,
        "<text class=\"label\" transform=\"translate(15 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        (TOP + bottom) / 2.0,
        escape(&figure.y_label)
    );
}

fn plot(figure: &Figure, series: &[Series]) -> String {
    let xs = series.iter().flat_map(|one| &one.points).map(|point| point.x);
    let x = Axis::over(xs, figure.log_x, LEFT + 8.0, WIDTH - RIGHT - 8.0);
    let y = Axis::over(values(series), figure.log_y, HEIGHT - BOTTOM, TOP).rounded();
    let mut svg = open(figure, HEIGHT);
    frame(&mut svg, figure, Some(&x), &y);
    // Bands lie under all lines.
    for (index, one) in series.iter().enumerate().filter(|(_, one)| one.line) {
        band(&mut svg, one, index, &x, &y);
    }
    for (index, one) in series.iter().enumerate() {
        let class = format!("c{}", index % COLOURS);
        if one.line {
            let path: String = one
                .points
                .iter()
                .enumerate()
                .map(|(i, p)| {
                    format!("{}{:.1} {:.1}", if i == 0 { "M" } else { "L" }, x.place(p.x), y.place(p.y))
                })
                .collect();
            let _ = write!(svg, "<path class=\"line {class} {}\" d=\"{path}\"/>", role_class(one.role));
        }
        // Many points on a line would hide it.
        if !one.line || one.points.len() <= 24 {
            for point in &one.points {
                if !one.line {
                    whisker(&mut svg, point, x.place(point.x), &y, &class);
                }
                let small = one.points.len() > 60;
                marker(&mut svg, index, x.place(point.x), y.place(point.y), small, &point_title(one, point));
            }
        }
    }
    svg + "</svg>"
}

fn band(svg: &mut String, one: &Series, index: usize, x: &Axis, y: &Axis) {
    let bounds: Vec<(f64, f64, f64)> = one
        .points
        .iter()
        .filter_map(|p| p.interval.map(|i| (x.place(p.x), y.place(i.low), y.place(i.high))))
        .collect();
    if bounds.len() < 2 {
        return;
    }
    let upper = bounds.iter().map(|(x, _, high)| format!("{x:.1},{high:.1} "));
    let lower = bounds.iter().rev().map(|(x, low, _)| format!("{x:.1},{low:.1} "));
    let path: String = upper.chain(lower).collect();
    let _ = write!(svg, "<polygon class=\"band c{}\" points=\"{}\"/>", index % COLOURS, path.trim_end());
}

fn whisker(svg: &mut String, point: &Point, x: f64, y: &Axis, class: &str) {
    if let Some(interval) = point.interval {
        let (low, high) = (y.place(interval.low), y.place(interval.high));
        let _ = write!(
            svg,
            "<path class=\"whisker {class}\" d=\"M{x:.1} {low:.1}V{high:.1}M{:.1} {low:.1}h8M{:.1} {high:.1}h8\"/>",
            x - 4.0,
            x - 4.0
        );
    }
}

/// A different shape for every series.
fn marker(svg: &mut String, index: usize, x: f64, y: f64, small: bool, title: &str) {
    let r = if small { 2.2 } else { 4.0 };
    let shape = match index % 4 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\""),
        1 => format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"",
            x - r * 0.9,
            y - r * 0.9,
            r * 1.8,
            r * 1.8
        ),
        2 => {
            format!("<path d=\"M{x:.1} {:.1}l{:.1} {:.1}h{:.1}z\"", y - r * 1.2, r * 1.15, r * 2.0, -r * 2.3)
        }
        _ => format!("<path d=\"M{x:.1} {:.1}l{r} {r}l-{r} {r}l-{r} -{r}z\"", y - r),
    };
    let _ = write!(svg, "{shape} class=\"marker c{}\"><title>{}</title>", index % COLOURS, escape(title));
    svg.push_str(match index % 4 {
        0 => "</circle>",
        1 => "</rect>",
        _ => "</path>",
    });
}

fn point_title(one: &Series, point: &Point) -> String {
    let interval = point.interval.map(|i| format!(" [{:.4} – {:.4}]", i.low, i.high)).unwrap_or_default();
    format!("{}: {} → {:.4}{interval}", one.name, point.x, point.y)
}

fn role_class(role: Role) -> &'static str {
    match role {
        Role::Ours => "ours",
        Role::Paper => "paper",
        Role::Reference => "reference",
    }
}

fn legend(series: &[Series]) -> String {
    if series.len() < 2 && series.iter().all(|one| one.name.is_empty()) {
        return String::new();
    }
    let mut html = String::from("<ul class=\"legend\">");
    for (index, one) in series.iter().enumerate() {
        let mut key =
            String::from("<svg viewBox=\"0 0 34 14\" width=\"34\" height=\"14\" aria-hidden=\"true\">");
        if one.line {
            let _ = write!(
                key,
                "<path class=\"line c{} {}\" d=\"M1 7H33\"/>",
                index % COLOURS,
                role_class(one.role)
            );
        }
        if !one.line || one.points.len() <= 24 {
            marker(&mut key, index, 17.0, 7.0, false, &one.name);
        }
        let _ = write!(html, "<li>{key}</svg> {}</li>", escape(&one.name));
    }
    html + "</ul>"
}

fn bars(figure: &Figure, categories: &[String], series: &[Series]) -> String {
    let y = Axis::over(values(series).chain([0.0]), figure.log_y, HEIGHT - BOTTOM, TOP).rounded();
    let mut svg = open(figure, HEIGHT);
    frame(&mut svg, figure, None, &y);
    let slot = (WIDTH - LEFT - RIGHT) / categories.len().max(1) as f64;
    let width = (slot * 0.8 / series.len().max(1) as f64).min(48.0);
    for (place, name) in categories.iter().enumerate() {
        let middle = LEFT + slot * (place as f64 + 0.5);
        let left = middle - width * series.len() as f64 / 2.0;
        for (index, one) in series.iter().enumerate() {
            let Some(point) = one.points.get(place) else { continue };
            let x = left + width * index as f64;
            let (top, base) = (y.place(point.y), y.base());
            let class = format!("c{}", index % COLOURS);
            let _ = write!(
                svg,
                "<rect class=\"bar {class} {}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"><title>{}</title></rect>",
                role_class(one.role),
                x + 1.0,
                top.min(base),
                width - 2.0,
                (base - top).abs(),
                escape(&format!("{name}, {}: {:.4}", one.name, point.y))
            );
            whisker(&mut svg, point, x + width / 2.0, &y, "ink");
        }
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - BOTTOM + 18.0,
            escape(name)
        );
    }
    svg + "</svg>"
}

fn heat_map(figure: &Figure, heat: &Heat) -> String {
    let (columns, rows) = (heat.x_names.len().max(1), heat.y_names.len().max(1));
    let cell_width = (WIDTH - LEFT - RIGHT) / columns as f64;
    let cell_height = cell_width.clamp(14.0, 30.0);
    let height = TOP + BOTTOM + cell_height * rows as f64;
    let shade = Shade::over(heat);
    let mut svg = open(figure, height);
    for (row, name) in heat.y_names.iter().enumerate() {
        let y = TOP + cell_height * row as f64;
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            y + cell_height / 2.0 + 4.0,
            escape(name)
        );
        for (column, x_name) in heat.x_names.iter().enumerate() {
            let Some(value) = heat.values.get(row).and_then(|line| line.get(column)).copied().flatten()
            else {
                continue;
            };
            let (colour, ink) = shade.of(value);
            let x = LEFT + cell_width * column as f64;
            let _ = write!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\" fill=\"{colour}\"><title>{}</title></rect>",
                cell_width - 1.5,
                cell_height - 1.5,
                escape(&format!(
                    "{} {x_name}, {} {name}: {value:.3} {}",
                    figure.x_label, figure.y_label, heat.unit
                ))
            );
            if cell_width >= 27.0 {
                let _ = write!(
                    svg,
                    "<text class=\"number\" fill=\"{ink}\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                    x + cell_width / 2.0 - 0.7,
                    y + cell_height / 2.0 + 3.2,
                    short(value)
                );
            }
        }
    }
    for (column, name) in heat.x_names.iter().enumerate() {
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            LEFT + cell_width * (column as f64 + 0.5),
            height - BOTTOM + 18.0,
            escape(name)
        );
    }
    let _ = write!(
        svg,
        "<text class=\"label\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text><text class=\"label\" transform=\"translate(15 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text></svg>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        height - 10.0,
        escape(&figure.x_label),
        (height - BOTTOM + TOP) / 2.0,
        escape(&figure.y_label)
    );
    svg + &shade.key(&heat.unit)
}

fn short(value: f64) -> String {
    let text = match value.abs() {
        magnitude if magnitude >= 99.95 => format!("{value:.0}"),
        magnitude if magnitude >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    };
    text.replace('-', "−")
}

/// Colours of a surface: one way from dark blue to yellow, or two ways from a neutral middle to blue and
/// orange. Both are read right by colour-blind people.
struct Shade {
    low: f64,
    high: f64,
    middle: Option<f64>,
    log: bool,
}

const ONE_WAY: [[f64; 3]; 5] =
    [[0., 32., 76.], [66., 77., 108.], [124., 123., 120.], [188., 175., 111.], [255., 234., 70.]];
const TWO_WAYS: [[f64; 3]; 5] =
    [[33., 102., 172.], [146., 190., 218.], [236., 236., 232.], [244., 178., 110.], [191., 91., 23.]];

impl Shade {
    fn over(heat: &Heat) -> Shade {
        let view = |value: f64| if heat.log { value.max(1e-9).ln() } else { value };
        let seen = heat.values.iter().flatten().copied().flatten().map(view);
        let (low, high) = seen.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low < high { (low, high) } else { (low - 0.5, low + 0.5) };
        Shade { low, high, middle: heat.middle.map(view), log: heat.log }
    }

    fn of(&self, value: f64) -> (String, &'static str) {
        let value = if self.log { value.max(1e-9).ln() } else { value };
        let (share, colours) = match self.middle {
            Some(middle) => {
                let reach = (self.high - middle).abs().max((middle - self.low).abs()).max(1e-12);
                (0.5 + 0.5 * (value - middle) / reach, TWO_WAYS)
            }
            None => ((value - self.low) / (self.high - self.low), ONE_WAY),
        };
        let at = share.clamp(0.0, 1.0) * 4.0;
        let index = (at as usize).min(3);
        let part = at - index as f64;
        let [r, g, b] =
            std::array::from_fn(|i| colours[index][i] * (1.0 - part) + colours[index + 1][i] * part);
        let bright = 0.299 * r + 0.587 * g + 0.114 * b > 140.0;
        (format!("#{:02x}{:02x}{:02x}", r as u8, g as u8, b as u8), if bright { "#111" } else { "#fff" })
    }

    fn key(&self, unit: &str) -> String {
        let back = |value: f64| if self.log { value.exp() } else { value };
        let (low, high) = match self.middle {
            Some(middle) => {
                let reach = (self.high - middle).abs().max((middle - self.low).abs());
                (middle - reach, middle + reach)
            }
            None => (self.low, self.high),
        };
        let mut html = format!("<p class=\"heat-key\">{} ", short(back(low)));
        for step in 0..9 {
            let value = back(low + (high - low) * f64::from(step) / 8.0);
            let _ = write!(html, "<i style=\"background:{}\"></i>", self.of(value).0);
        }
        let _ = write!(html, " {} &nbsp;{}</p>", short(back(high)), escape(unit));
        html
    }
}
