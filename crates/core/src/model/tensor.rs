//! The numbers of a model.

use safetensors::Dtype;

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

    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Tensor::F32(..) => "F32",
            Tensor::F64(..) => "F64",
            Tensor::U64(..) => "U64",
            Tensor::I32(..) => "I32",
            Tensor::I8(..) => "I8",
            Tensor::U8(..) => "U8",
        }
    }

    pub(super) fn append_to(&self, bytes: &mut Vec<u8>) {
        for_each_type!(self, data => bytes.extend(data.iter().flat_map(|x| x.to_le_bytes())));
    }

    pub(super) fn read(dtype: Dtype, shape: &[usize], bytes: &[u8]) -> Option<Tensor> {
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
