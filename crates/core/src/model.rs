//! Models and checkpoints: named tensors and metadata, kept as safetensors that any tool can read.
//!
//! The bytes are canonical: a file loads if and only if writing what was loaded gives the same bytes again.
//! Together with a CRC-32 in the metadata no truncation and no flipped bit gets through.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use safetensors::{Dtype, SafeTensors};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use thiserror::Error;

use crate::{Cost, store};

/// The version of the layout of model files; older ones stay readable.
const FORMAT: &str = "1";

/// A shape and the numbers in it, row by row.
#[derive(Clone, PartialEq, Debug)]
pub enum Tensor {
    /// Single precision.
    F32(Vec<usize>, Vec<f32>),
    /// Double precision.
    F64(Vec<usize>, Vec<f64>),
    /// Whole numbers without sign, sets of bits.
    U64(Vec<usize>, Vec<u64>),
    /// Whole numbers.
    I32(Vec<usize>, Vec<i32>),
    /// Small whole numbers.
    I8(Vec<usize>, Vec<i8>),
    /// Bytes.
    U8(Vec<usize>, Vec<u8>),
}

/// What a learner is, completely.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// The name of the learner that made it.
    pub learner: String,
    /// The name of the game it plays.
    pub game: String,
    /// What its learning consumed.
    pub ledger: Cost,
    /// Parameters and whatever else is not a tensor, each as text.
    pub meta: BTreeMap<String, String>,
    /// The numbers it learnt, by name.
    pub tensors: BTreeMap<String, Tensor>,
}

/// A model that cannot be read, written or used.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {path}: {source}. The file that was there before is untouched")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The bytes are not those of a whole model.
    #[error("not a whole Ludens model: {problem}. Train it again, or use the `.previous` file beside it")]
    Damaged {
        /// What is wrong with them.
        problem: String,
    },
    /// The layout is of a version this program does not know.
    #[error("the model has format {found}, this program reads {FORMAT}: use a newer Ludens")]
    Format {
        /// The version in the file.
        found: String,
    },
    /// Weights that have left the numbers.
    #[error(
        "the tensor {tensor} holds numbers that are none: the step size of its training was too large. Train with a smaller one"
    )]
    NotFinite {
        /// Which.
        tensor: String,
    },
    /// The model plays another game.
    #[error("the model is for {found}, not for {wanted}: name that game with --game {found}")]
    WrongGame {
        /// The game it plays.
        found: String,
        /// The game that was asked for.
        wanted: String,
    },
    /// The model is another learner's.
    #[error("the model was made by the learner {found}, not by {wanted}")]
    WrongLearner {
        /// The learner that made it.
        found: String,
        /// The learner that was asked for.
        wanted: String,
    },
    /// A tensor or a parameter is not there, or of another size or type.
    #[error(
        "the model lacks {what} or has it in another form; it was made by another version: train it again"
    )]
    Missing {
        /// Its name, and the size that was asked for.
        what: String,
    },
}

fn damaged(problem: impl ToString) -> ModelError {
    ModelError::Damaged { problem: problem.to_string() }
}

macro_rules! tensor_access {
    ($($put:ident, $get:ident, $variant:ident, $type:ty;)*) => {$(
        /// Keeps a tensor under `name`; `data` fills `shape` row by row.
        pub fn $put(&mut self, name: &str, shape: &[usize], data: &[$type]) {
            debug_assert_eq!(shape.iter().product::<usize>(), data.len());
            self.tensors.insert(name.into(), Tensor::$variant(shape.to_vec(), data.to_vec()));
        }
        /// The tensor `name` if it has exactly `len` elements.
        pub fn $get(&self, name: &str, len: usize) -> Result<&[$type], ModelError> {
            match self.tensors.get(name) {
                Some(Tensor::$variant(_, data)) if data.len() == len => Ok(data),
                _ => Err(ModelError::Missing { what: format!("tensor {name} of {len}") }),
            }
        }
    )*};
}

impl Model {
    /// A model without tensors or metadata.
    pub fn new(learner: &str, game: &str, ledger: Cost) -> Model {
        Model {
            learner: learner.into(),
            game: game.into(),
            ledger,
            meta: BTreeMap::new(),
            tensors: BTreeMap::new(),
        }
    }

    tensor_access! {
        put_f32, f32s, F32, f32;
        put_f64, f64s, F64, f64;
        put_u64, u64s, U64, u64;
        put_i32, i32s, I32, i32;
        put_i8, i8s, I8, i8;
        put_u8, u8s, U8, u8;
    }

    /// The number of elements of a tensor, 0 where there is none.
    pub fn len_of(&self, name: &str) -> usize {
        self.tensors.get(name).map_or(0, |tensor| tensor.shape().iter().product())
    }

    /// Keeps any serialisable value (parameters, a schedule) in the metadata.
    pub fn put_meta(&mut self, key: &str, value: &impl Serialize) {
        let text = serde_json::to_string(value).unwrap_or_default();
        self.meta.insert(key.into(), text);
    }

    /// Reads a value that [`Model::put_meta`] kept.
    pub fn meta<T: DeserializeOwned>(&self, key: &str) -> Result<T, ModelError> {
        self.meta
            .get(key)
            .and_then(|text| serde_json::from_str(text).ok())
            .ok_or_else(|| ModelError::Missing { what: format!("metadata {key}") })
    }

    /// Fails where a number of a tensor is none (NaN) or endless: nothing can be reckoned with it.
    pub fn check_finite(&self) -> Result<(), ModelError> {
        let broken = |tensor: &Tensor| match tensor {
            Tensor::F32(_, data) => data.iter().any(|x| !x.is_finite()),
            Tensor::F64(_, data) => data.iter().any(|x| !x.is_finite()),
            _ => false,
        };
        match self.tensors.iter().find(|(_, tensor)| broken(tensor)) {
            Some((name, _)) => Err(ModelError::NotFinite { tensor: name.clone() }),
            None => Ok(()),
        }
    }

    /// Fails unless the model is for this game and by this learner.
    pub fn expect(&self, learner: &str, game: &str) -> Result<(), ModelError> {
        if self.learner != learner {
            return Err(ModelError::WrongLearner { found: self.learner.clone(), wanted: learner.into() });
        }
        if self.game != game {
            return Err(ModelError::WrongGame { found: self.game.clone(), wanted: game.into() });
        }
        Ok(())
    }

    /// The file as bytes, with its checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let checksum = crc32fast::hash(&self.layout(None));
        self.layout(Some(checksum))
    }

    /// Reads a file's bytes and checks that they are whole.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, ModelError> {
        let model = Model::read(bytes)?;
        if model.to_bytes() != bytes {
            return Err(damaged("its checksum does not match its content"));
        }
        Ok(model)
    }

    /// Writes the file; one that was there is replaced only by a whole one.
    pub fn write(&self, path: &Path) -> Result<(), ModelError> {
        store::write_atomic(path, &self.to_bytes())
            .map_err(|source| ModelError::Write { path: path.into(), source })
    }

    /// For checkpoints: the one before stays beside it.
    pub fn write_checkpoint(&self, path: &Path) -> Result<(), ModelError> {
        store::write_keeping_previous(path, &self.to_bytes())
            .map_err(|source| ModelError::Write { path: path.into(), source })
    }

    /// Reads and checks a file.
    pub fn load(path: &Path) -> Result<Model, ModelError> {
        let bytes = std::fs::read(path).map_err(|source| ModelError::Read { path: path.into(), source })?;
        Model::from_bytes(&bytes)
    }

    /// The checkpoint, or the one before it where the newest is missing or damaged.
    pub fn load_checkpoint(path: &Path) -> Result<Model, ModelError> {
        let newest = Model::load(path);
        if newest.is_ok() {
            return newest;
        }
        let previous = store::previous_of(path).map(|previous| Model::load(&previous));
        match previous {
            Ok(Ok(model)) => Ok(model),
            _ => newest,
        }
    }

    /// A safetensors file: the length of the header, the header, the tensors in the order of their names.
    fn layout(&self, checksum: Option<u32>) -> Vec<u8> {
        let mut metadata: BTreeMap<String, Value> =
            self.meta.iter().map(|(key, value)| (format!("meta.{key}"), json!(value))).collect();
        metadata.insert("format".into(), json!(FORMAT));
        metadata.insert("learner".into(), json!(self.learner));
        metadata.insert("game".into(), json!(self.game));
        metadata.insert("ledger".into(), json!(json!(self.ledger).to_string()));
        if let Some(checksum) = checksum {
            metadata.insert("checksum".into(), json!(format!("{checksum:08x}")));
        }
        let mut header = BTreeMap::from([("__metadata__".to_string(), json!(metadata))]);
        let mut data = Vec::new();
        for (name, tensor) in &self.tensors {
            let begin = data.len();
            tensor.append_to(&mut data);
            let entry = json!({
                "dtype": tensor.type_name(),
                "shape": tensor.shape(),
                "data_offsets": [begin, data.len()],
            });
            header.insert(name.clone(), entry);
        }
        let mut header = json!(header).to_string().into_bytes();
        while !header.len().is_multiple_of(8) {
            header.push(b' ');
        }
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header);
        bytes.extend(data);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Model, ModelError> {
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
        let file = SafeTensors::deserialize(bytes).map_err(damaged)?;
        let none = Default::default();
        let metadata = header.metadata().as_ref().unwrap_or(&none);
        let field =
            |key: &str| metadata.get(key).cloned().ok_or_else(|| damaged(format!("its header has no {key}")));
        let format = field("format")?;
        if format != FORMAT {
            return Err(ModelError::Format { found: format });
        }
        let mut model = Model::new(
            &field("learner")?,
            &field("game")?,
            serde_json::from_str(&field("ledger")?).map_err(damaged)?,
        );
        for (key, value) in metadata {
            if let Some(key) = key.strip_prefix("meta.") {
                model.meta.insert(key.into(), value.clone());
            }
        }
        for (name, view) in file.tensors() {
            let tensor = Tensor::read(view.dtype(), view.shape(), view.data())
                .ok_or_else(|| damaged(format!("tensor {name} has a type Ludens does not write")))?;
            model.tensors.insert(name, tensor);
        }
        Ok(model)
    }
}

macro_rules! for_each_type {
    ($self:expr, $data:ident => $body:expr) => {
        match $self {
            Tensor::F32(_, $data) => $body,
            Tensor::F64(_, $data) => $body,
            Tensor::U64(_, $data) => $body,
            Tensor::I32(_, $data) => $body,
            Tensor::I8(_, $data) => $body,
            Tensor::U8(_, $data) => $body,
        }
    };
}

impl Tensor {
    /// The size along every dimension.
    pub fn shape(&self) -> &[usize] {
        match self {
            Tensor::F32(shape, _)
            | Tensor::F64(shape, _)
            | Tensor::U64(shape, _)
            | Tensor::I32(shape, _)
            | Tensor::I8(shape, _)
            | Tensor::U8(shape, _) => shape,
        }
    }

    fn type_name(&self) -> &'static str {
        match self {
            Tensor::F32(..) => "F32",
            Tensor::F64(..) => "F64",
            Tensor::U64(..) => "U64",
            Tensor::I32(..) => "I32",
            Tensor::I8(..) => "I8",
            Tensor::U8(..) => "U8",
        }
    }

    fn append_to(&self, bytes: &mut Vec<u8>) {
        for_each_type!(self, data => bytes.extend(data.iter().flat_map(|x| x.to_le_bytes())));
    }

    fn read(dtype: Dtype, shape: &[usize], bytes: &[u8]) -> Option<Tensor> {
        macro_rules! numbers {
            ($variant:ident, $type:ty) => {{
                let (words, _) = bytes.as_chunks::<{ size_of::<$type>() }>();
                Tensor::$variant(shape.to_vec(), words.iter().map(|w| <$type>::from_le_bytes(*w)).collect())
            }};
        }
        Some(match dtype {
            Dtype::F32 => numbers!(F32, f32),
            Dtype::F64 => numbers!(F64, f64),
            Dtype::U64 => numbers!(U64, u64),
            Dtype::I32 => numbers!(I32, i32),
            Dtype::I8 => numbers!(I8, i8),
            Dtype::U8 => numbers!(U8, u8),
            _ => return None,
        })
    }
}

/// Parameters of a model as a reader may want them: `ludens describe`, run lists.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelCard {
    /// The name of the learner that made it.
    pub learner: String,
    /// The name of the game it plays.
    pub game: String,
    /// What its learning consumed.
    pub ledger: Cost,
    /// Its parameters, each as text.
    pub meta: BTreeMap<String, String>,
    /// The shape of every tensor, by name.
    pub tensors: BTreeMap<String, Vec<usize>>,
}

impl From<&Model> for ModelCard {
    fn from(model: &Model) -> ModelCard {
        ModelCard {
            learner: model.learner.clone(),
            game: model.game.clone(),
            ledger: model.ledger,
            meta: model.meta.clone(),
            tensors: model
                .tensors
                .iter()
                .map(|(name, tensor)| (name.clone(), tensor.shape().to_vec()))
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Model {
        let mut model = Model::new("demo", "tic-tac-toe", Cost { states: 3, games: 2, chunks: 1 });
        model.put_meta("rate", &0.1);
        model.put_f32("weights", &[2, 3], &[1.0, -2.5, 0.0, f32::MIN_POSITIVE, 5.0, 6.0]);
        model.put_u64("rng", &[4], &[1, 2, 3, u64::MAX]);
        model.put_i8("cells", &[3], &[-1, 0, 1]);
        model
    }

    #[test]
    fn comes_back_as_it_was() {
        let model = example();
        let again = Model::from_bytes(&model.to_bytes()).unwrap();
        assert_eq!(again, model);
        assert_eq!(again.meta::<f64>("rate").unwrap(), 0.1);
        assert_eq!(again.f32s("weights", 6).unwrap()[1], -2.5);
        assert!(again.f32s("weights", 5).is_err());
    }

    #[test]
    fn no_flipped_bit_and_no_truncation_gets_through() {
        let bytes = example().to_bytes();
        for position in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[position] ^= 1 << bit;
                assert!(Model::from_bytes(&damaged).is_err(), "byte {position} bit {bit}");
            }
            assert!(Model::from_bytes(&bytes[..position]).is_err(), "cut at {position}");
        }
    }

    #[test]
    fn a_damaged_checkpoint_gives_way_to_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.model");
        let mut model = example();
        model.write_checkpoint(&path).unwrap();
        model.ledger.games = 99;
        model.write_checkpoint(&path).unwrap();
        assert_eq!(Model::load_checkpoint(&path).unwrap().ledger.games, 99);
        std::fs::write(&path, b"rubbish").unwrap();
        assert_eq!(Model::load_checkpoint(&path).unwrap().ledger.games, 2);
    }
}
